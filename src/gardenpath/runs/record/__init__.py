"""What is kept on the disk: runs, the cache, signatures, and files that are written whole or not at all."""
