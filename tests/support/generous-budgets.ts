import { BUDGETS } from '#core/shared/budgets.ts'

/** A `BUDGETS` setting with rate limits so high that a test reaches only the limits that it sets itself. */
export const GENEROUS_BUDGETS = Object.keys(BUDGETS)
  .map((name) => `${name}=1000000`)
  .join(',')
