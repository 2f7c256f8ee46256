/**
 * The secret key of every measured product. Seeded data is encrypted with it; with another key, Meridian would not open the
 * database.
 */
export const SECRET_KEY = 'a key for benchmarks that is long enough'
