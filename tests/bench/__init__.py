"""Measurements that anyone can run again: `make bench`. What is compared is measured in the same run."""
