/**
 * The first part of the query keys of all data of the logged-in owner. All data under this key is removed when another user logs
 * in.
 */
export const OWNER_QUERY_KEY = 'owner'
