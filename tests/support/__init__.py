"""What the tests are made with."""
