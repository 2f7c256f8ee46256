import { beforeEach } from 'vitest'
import { forgetDrafts } from '#web/shared/draft.ts'

/** What was typed and not saved is kept outside of any page; the test before has its own. */
beforeEach(forgetDrafts)
