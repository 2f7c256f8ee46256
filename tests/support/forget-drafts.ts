import { beforeEach } from 'vitest'
import { forgetDrafts } from '#web/shared/draft.ts'

/** Unsaved input is kept outside of the pages, so it would reach the next test. */
beforeEach(forgetDrafts)
