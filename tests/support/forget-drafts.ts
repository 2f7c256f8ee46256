import { beforeEach } from 'vitest'
import { deleteAllDrafts } from '#web/shared/draft.ts'

/** Unsaved input is kept outside of the pages, so it would reach the next test. */
beforeEach(deleteAllDrafts)
