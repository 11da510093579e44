// Composition root.
