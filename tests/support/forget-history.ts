import { beforeEach } from 'vitest'

/** A booking page keeps what it knows in the entry of the tab's history; the test before has its own. Not all tests have a tab. */
beforeEach(() => globalThis.history?.replaceState(null, ''))
