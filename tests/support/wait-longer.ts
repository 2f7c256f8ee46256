import { configure } from '@testing-library/react'

/**
 * How long `findBy…` and `waitFor` wait, in milliseconds. Testing Library's one second is not enough for a page that
 * loads its parts when the processors are shared with other test files; what does appear is not waited for longer.
 */
configure({ asyncUtilTimeout: 20_000 })
