import * as React from 'react'

/**
 * Tells React's development build not to record where each element is made. It makes an `Error` for every element, for the stacks
 * that its developer tools show, which is a tenth of the processor time of the tests of components. Warnings still name the components.
 *
 * React has no setting for it. It stops by itself after 10,000 elements and begins again a second later, so its counter is held above
 * that number. The counter is internal: when React renames it, the tests pass as before and this file says that it can go.
 */
const COUNTER = 'recentlyCreatedOwnerStacks'
const INTERNALS = '__CLIENT_INTERNALS_DO_NOT_USE_OR_WARN_USERS_THEY_CANNOT_UPGRADE'

const internals: unknown = Reflect.get(React, INTERNALS)
if (typeof internals !== 'object' || internals === null || !(COUNTER in internals)) {
  throw new Error(`React no longer has ${COUNTER}. Remove this file, or find what replaces it.`)
}
Object.defineProperty(internals, COUNTER, {
  get: () => Number.MAX_SAFE_INTEGER,
  set: () => {},
  configurable: true,
})
