import { DataDirInUseError } from '#server/platform/db/data-dir-lock.ts'
import type { Database } from '#server/platform/db/database.ts'
import packageJson from '../../../../package.json' with { type: 'json' }
import { type Config, ConfigError, readConfig } from '../config.ts'
import { checkDatabase } from './check-database.ts'
import { checkNetwork, type NetworkProbes } from './check-network.ts'
import { checkServices, type ExternalServices } from './check-services.ts'
import { type Finding, toErrorMessage, toFailedFinding, toPassedFinding } from './finding.ts'

export type DoctorDeps = NetworkProbes &
  ExternalServices & {
    readonly now: () => number
    /** Opens the configured database. @throws Error when it cannot be opened */
    readonly openDatabase: (config: Config) => Promise<Database>
    /** Asks the product that runs on this data directory to run the checks. @throws Error when it does not respond */
    readonly askRunning: (dataDir: string) => Promise<Finding[]>
  }

/** Checks everything that an installation needs to work, starting with its settings. Changes nothing. */
export async function runDoctor(
  deps: DoctorDeps,
  env: Readonly<Record<string, string | undefined>>,
): Promise<Finding[]> {
  const settings = checkSettings(env)
  if (settings.config === null) return [...settings.findings]
  const { config } = settings
  const [database, network, services] = await Promise.all([
    openAndCheck(deps, config),
    // Skip the network checks in a sandbox, which uses only this machine.
    config.sandbox ? [] : checkNetwork(config, deps, deps.now),
    checkServices(config, deps),
  ])
  return [...settings.findings, ...database, ...network, ...services]
}

function checkSettings(env: Readonly<Record<string, string | undefined>>): {
  readonly config: Config | null
  readonly findings: readonly Finding[]
} {
  try {
    return {
      config: readConfig(env),
      findings: [toPassedFinding('settings', `Meridian ${packageJson.version} can read each`)],
    }
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    const findings = error.mistakes.map((mistake) =>
      toFailedFinding(
        'settings',
        mistake.slice(0, mistake.indexOf(':')),
        `${mistake}; correct it and look again.`,
      ),
    )
    return { config: null, findings }
  }
}

async function openAndCheck(
  { openDatabase, askRunning, now }: DoctorDeps,
  config: Config,
): Promise<Finding[]> {
  const what = 'it can be opened'
  let database: Database
  try {
    database = await openDatabase(config)
  } catch (error) {
    const isRunning = error instanceof DataDirInUseError
    const found = isRunning ? await askRunning(config.DATA_DIR).catch(() => null) : null
    if (found !== null) return [toPassedFinding('database', 'the running product can be asked'), ...found]
    const advice = isRunning
      ? 'The embedded database belongs to the running product, which does not answer; stop that to have it looked at.'
      : `The database does not open (${toErrorMessage(error)}); check DATABASE_URL or DATA_DIR, and that the server runs.`
    return [toFailedFinding('database', what, advice)]
  }
  try {
    return [toPassedFinding('database', what), ...(await checkDatabase(database, config, now))]
  } finally {
    await database.close()
  }
}
