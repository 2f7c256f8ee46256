import * as React from 'react'

/**
 * Stops React's development build from recording where each element is created. For that, React creates an `Error` for every
 * element. The errors take a tenth of the CPU time of the component tests, and only React's developer tools show them. Warnings
 * still name the components.
 *
 * React has no setting for this. It stops recording after 10,000 elements and starts again a second later. This file keeps the
 * counter of elements above 10,000. The counter is internal to React. If a new version removes it, the tests fail with the
 * message below.
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
