from gardenpath.cli.main import main

main()
