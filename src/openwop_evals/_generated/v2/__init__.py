# Generated from schemas/ (OpenWOP v2) by `nox -s codegen`; not to be edited.
