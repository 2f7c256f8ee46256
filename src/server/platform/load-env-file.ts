import { existsSync } from 'node:fs'

/** Adds the settings of the file `.env` in the working directory to the environment. Variables that are set already win. */
export function loadEnvFile(): void {
  if (existsSync('.env')) process.loadEnvFile('.env')
}
