/** The first part of the cache key of all data of the logged-in owner. Everything under it is removed when somebody else logs in. */
export const OWNER_KEY = 'owner'
