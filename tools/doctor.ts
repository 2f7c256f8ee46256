import { buildDoctorDeps } from '#server/app/doctor/doctor-deps.ts'
import { writeReport } from '#server/app/doctor/finding.ts'
import { runDoctor } from '#server/app/doctor/run-doctor.ts'
import { startServerOrExit } from '#server/app/start-server.ts'
import { loadEnvFile } from '#server/platform/load-env-file.ts'

/**
 * `npm run doctor`, with Meridian's settings: prints each problem of the installation and its solution in one sentence.
 * Changes nothing, and exits with 1 when there is a problem.
 */
await startServerOrExit(async () => {
  loadEnvFile()
  const findings = await runDoctor(buildDoctorDeps(), process.env)
  process.stdout.write(writeReport(findings))
  if (findings.some(({ problem }) => problem !== null)) process.exitCode = 1
})
