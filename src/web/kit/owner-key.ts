/**
 * First part of the cache key of everything that belongs to the person signed in. What stands under it is forgotten
 * when somebody else signs in.
 */
export const OWNER_KEY = 'owner'
