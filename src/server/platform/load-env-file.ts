import { existsSync } from 'node:fs'

/** Loads settings from the file `.env` in the working directory. Existing environment variables take precedence. */
export function loadEnvFile(): void {
  if (existsSync('.env')) process.loadEnvFile('.env')
}
