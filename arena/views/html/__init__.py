"""Pages that a browser opens by a double click: one file each, which loads nothing."""
