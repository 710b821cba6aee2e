"""Tests of the evaluation: files, arms, runs, scores, reports, data sets."""
