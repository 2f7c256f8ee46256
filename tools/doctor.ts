import { buildDoctorDeps } from '#server/app/doctor/doctor-deps.ts'
import { writeReport } from '#server/app/doctor/finding.ts'
import { runDoctor } from '#server/app/doctor/run-doctor.ts'
import { serveOrExplain } from '#server/app/serve.ts'
import { loadEnvFile } from '#server/platform/load-env-file.ts'

/**
 * `npm run doctor`, with the settings of the product: says in a sentence each what is wrong with the installation and what to do. It
 * changes nothing, and ends with 1 when something is wrong.
 */
await serveOrExplain(async () => {
  loadEnvFile()
  const findings = await runDoctor(buildDoctorDeps(), process.env)
  process.stdout.write(writeReport(findings))
  if (findings.some(({ problem }) => problem !== null)) process.exitCode = 1
})
