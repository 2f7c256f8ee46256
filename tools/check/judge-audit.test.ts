import { expect, test } from 'vitest'
import { judgeAudit } from './judge-audit.ts'

const report = (severity: string) =>
  JSON.stringify({ auditReportVersion: 2, vulnerabilities: { planted: { severity } } })

test.each(['high', 'critical'])(
  'a package with a fault that is %s fails the check and is named',
  (severity) => {
    expect(judgeAudit(report(severity))).toEqual({
      ok: false,
      output: expect.stringContaining(`planted: ${severity}`),
    })
  },
)

test('lesser faults do not, nor does a clean answer', () => {
  expect(judgeAudit(report('moderate'))).toEqual({ ok: true })
  expect(judgeAudit(JSON.stringify({ auditReportVersion: 2, vulnerabilities: {} }))).toEqual({ ok: true })
})

test.each(['{"message":"audit endpoint returned an error","error":{}}', '', 'npm error network'])(
  'where the registry did not answer (%j), the check says that nothing is known',
  (output) => {
    expect(judgeAudit(output)).toMatchObject({ ok: true, note: expect.stringContaining('NOT CHECKED') })
  },
)
