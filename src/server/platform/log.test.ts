import { expect, test } from 'vitest'
import { buildLog } from './log.ts'

test('what opens a door or names a person is struck out', () => {
  const lines: string[] = []
  const log = buildLog('info', { write: (line) => lines.push(line) })
  const refused = Object.assign(new Error('duplicate key'), {
    code: '23505',
    detail: 'Key (lower(email))=(secret) already exists.',
  })
  log.error({ err: refused }, 'unexpected')
  log.info({ body: { email: 'x', password: 'secret' }, mail: { token: 'secret' } }, 'more')
  log.info({ req: { headers: { cookie: 'secret', authorization: 'secret' } } }, 'more')
  log.info({ res: { headers: { 'set-cookie': 'secret' } } }, 'more')
  expect(lines).toHaveLength(4)
  expect(lines.join('')).not.toContain('secret')
  expect(JSON.parse(lines[0] ?? '{}')).toMatchObject({
    level: 50,
    msg: 'unexpected',
    err: { message: 'duplicate key', code: '23505', detail: '[redacted]' },
  })
})

test('a level that was not asked for is not written', () => {
  const lines: string[] = []
  const log = buildLog('warn', { write: (line) => lines.push(line) })
  log.info('quiet')
  log.warn('loud')
  expect(lines.map((line) => JSON.parse(line).msg)).toEqual(['loud'])
})
