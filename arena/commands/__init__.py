"""What the commands do: each module brings the rooms together for one task."""
