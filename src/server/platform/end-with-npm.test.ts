import { expect, test } from 'vitest'
import { findByPs } from './end-with-npm.ts'

test.skipIf(process.platform === 'win32')(
  'where there is no /proc, `ps` tells the parent of a process and its name',
  async () => {
    expect(await findByPs(process.pid)).toEqual({
      name: expect.stringMatching(/^[^/]+$/),
      parentPid: process.ppid,
    })
  },
)
