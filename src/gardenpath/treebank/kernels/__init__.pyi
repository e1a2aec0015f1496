from .forest import equal_classes as equal_classes
from .kernel import TreeKernel as TreeKernel
from .shapes import kernel_trees as kernel_trees
