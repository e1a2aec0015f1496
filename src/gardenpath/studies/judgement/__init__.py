"""Chat models as judges of minimal pairs: by forced choice in both orders, and by yes and no."""
