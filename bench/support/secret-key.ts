/** The key of every measured product. What is seeded for it is encrypted with it, or the product would not open the database. */
export const SECRET_KEY = 'a key for benchmarks that is long enough'
