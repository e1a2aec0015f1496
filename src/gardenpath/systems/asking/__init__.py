"""How systems are named, made and asked, and how their answers are matched to what was asked."""
