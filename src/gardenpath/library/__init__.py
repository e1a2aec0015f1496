"""What `import gardenpath` offers: each study and each tool as a function of names or objects."""
