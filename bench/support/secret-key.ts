/**
 * The secret key of every measured product. Seeded data is encrypted with it; with another key, the product would not open the
 * database.
 */
export const SECRET_KEY = 'a key for benchmarks that is long enough'
