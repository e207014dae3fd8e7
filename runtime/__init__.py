"""The decorator, signatures, dispatch, disk cache and configuration."""
