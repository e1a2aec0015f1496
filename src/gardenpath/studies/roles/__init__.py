"""Does a parser find subject and object (or the head of a PP), and which property of the sentence makes it fail?"""
