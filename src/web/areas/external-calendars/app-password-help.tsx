/** Where people find the address and an app password, by provider. Source: the help pages of these providers. */
const PROVIDERS = [
  {
    name: 'iCloud',
    address: 'https://caldav.icloud.com',
    steps:
      'On account.apple.com open Sign-In and Security, then App-Specific Passwords, and make one. Your user name is your Apple Account.',
  },
  {
    name: 'Fastmail',
    address: 'https://caldav.fastmail.com',
    steps:
      'Open Settings, Privacy & Security, then Manage app passwords. Make one with access to calendars (CalDAV).',
  },
  {
    name: 'Nextcloud',
    address: 'https://your-server.example/remote.php/dav',
    steps: 'Open your Personal settings, Security, then Devices & sessions, and create a new app password.',
  },
] as const

/** How to get a password that a provider accepts here. */
export function AppPasswordHelp() {
  return (
    <div className="rounded-control bg-sunken p-4">
      <p className="font-semibold">App passwords</p>
      <p className="mt-1 text-sm text-ink-soft">
        An app password is a second password for one program. You can withdraw it without changing your own.
      </p>
      {PROVIDERS.map(({ name, address, steps }) => (
        <details key={name} className="mt-2 text-sm">
          <summary className="min-h-8 py-1.5 font-semibold">{name}</summary>
          <p className="text-ink-soft">{steps}</p>
          <p className="mt-1 mb-2">
            Address: <code className="break-all">{address}</code>
          </p>
        </details>
      ))}
    </div>
  )
}
