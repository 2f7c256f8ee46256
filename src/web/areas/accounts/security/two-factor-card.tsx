import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { TwoFactorStatus } from '#contract/accounts/security.ts'
import { LoadStatus } from '#web/kit/load-status.tsx'
import { BadgePlaceholder, ButtonPlaceholder } from '#web/kit/loading-shape.tsx'
import { Badge } from '#web/ui/badge.tsx'
import { Button } from '#web/ui/button.tsx'
import { Card } from '#web/ui/card.tsx'
import { Notice } from '#web/ui/notice.tsx'
import { twoFactorQuery } from './security-queries.ts'
import { BackupCodesDialog, RemoveTwoFactorDialog } from './two-factor-dialogs.tsx'
import { TwoFactorSetupDialog } from './two-factor-setup-dialog.tsx'

/** Number of remaining backup codes at or below which the card warns the owner. */
const FEW_CODES = 3

type Opened = 'setup' | 'codes' | 'removal' | null

/** Shows whether two-factor authentication is on, and lets the owner change it. */
export function TwoFactorCard() {
  const query = useQuery(twoFactorQuery)
  const { data: twoFactor } = query
  const [opened, setOpened] = useState<Opened>(null)
  // The React key of the dialogs, so that the form is empty each time a dialog opens.
  const [openings, setOpenings] = useState(0)
  const open = (next: Opened) => {
    setOpenings(openings + 1)
    setOpened(next)
  }
  const dialog = (name: Opened) => ({
    open: opened === name,
    onOpenChange: (next: boolean) => setOpened(next ? name : null),
  })
  return (
    <Card
      title={
        <span className="flex flex-wrap items-center gap-x-3 gap-y-1">
          Two-factor authentication
          {query.isPending && <BadgePlaceholder className="w-11" />}
          {twoFactor !== undefined && (
            <Badge tone={twoFactor.enabled ? 'success' : 'neutral'} className="font-sans">
              {twoFactor.enabled ? 'On' : 'Off'}
            </Badge>
          )}
        </span>
      }
      description="Logging in also needs a code from an app on your phone, so your password alone isn’t enough."
    >
      {twoFactor !== undefined && <Actions twoFactor={twoFactor} onOpen={open} />}
      <LoadStatus query={query} loading="Loading..." failed="Failed to load two-factor authentication">
        <ButtonPlaceholder className="w-26" />
      </LoadStatus>
      <TwoFactorSetupDialog key={`setup-${openings}`} {...dialog('setup')} />
      <BackupCodesDialog key={`codes-${openings}`} {...dialog('codes')} />
      <RemoveTwoFactorDialog key={`removal-${openings}`} {...dialog('removal')} />
    </Card>
  )
}

function Actions({ twoFactor, onOpen }: { twoFactor: TwoFactorStatus; onOpen: (dialog: Opened) => void }) {
  if (!twoFactor.enabled) return <Button onClick={() => onOpen('setup')}>Turn on</Button>
  const left = twoFactor.backup_codes_left ?? 0
  return (
    <div className="flex flex-col gap-4">
      {left <= FEW_CODES ? (
        <Notice tone="warning">{codesLeft(left)} Create new ones before you need them.</Notice>
      ) : (
        <p className="text-ink-soft">{codesLeft(left)}</p>
      )}
      <div className="flex flex-wrap gap-3">
        <Button onClick={() => onOpen('codes')}>New backup codes</Button>
        <Button onClick={() => onOpen('removal')}>Turn off</Button>
      </div>
    </div>
  )
}

function codesLeft(left: number): string {
  if (left === 0) return 'You have no backup codes left.'
  return left === 1 ? 'You have 1 backup code left.' : `You have ${left} backup codes left.`
}
