"""Language models and chat models; surprisals and answers by any of them."""
