import { configure } from '@testing-library/react'

/**
 * Maximum wait of `findBy…` and `waitFor`, in milliseconds. Testing Library's default of one second is too short for a page that
 * loads its parts while other test files share the processors. A successful wait does not take longer.
 */
configure({ asyncUtilTimeout: 20_000 })
