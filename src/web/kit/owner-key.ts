/**
 * The first part of the cache key of everything that belongs to the person who is logged in. It is removed when
 * somebody else logs in.
 */
export const OWNER_KEY = 'owner'
