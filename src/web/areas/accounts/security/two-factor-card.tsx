import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { TwoFactor } from '#contract/accounts/security.ts'
import { BadgeShape, ButtonShape, LoadingShape } from '#web/kit/loading-shape.tsx'
import { Badge } from '#web/ui/badge.tsx'
import { Button } from '#web/ui/button.tsx'
import { Card } from '#web/ui/card.tsx'
import { ErrorState } from '#web/ui/error-state.tsx'
import { Notice } from '#web/ui/notice.tsx'
import { BackupCodesDialog } from './backup-codes-dialog.tsx'
import { RemoveTwoFactorDialog } from './remove-two-factor-dialog.tsx'
import { twoFactorQuery } from './security-queries.ts'
import { TwoFactorSetupDialog } from './two-factor-setup-dialog.tsx'

/** So few codes are soon used up. */
const FEW_CODES = 3

type Opened = 'setup' | 'codes' | 'removal' | null

/** The second factor: whether it is on, and the buttons to change that. */
export function TwoFactorCard() {
  const { data: twoFactor, error, refetch } = useQuery(twoFactorQuery)
  const [opened, setOpened] = useState<Opened>(null)
  // Counts openings, so that each dialog starts from its beginning.
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
          {twoFactor === undefined && error === null && <BadgeShape className="w-11" />}
          {twoFactor !== undefined && (
            <Badge tone={twoFactor.enabled ? 'success' : 'neutral'} className="font-sans">
              {twoFactor.enabled ? 'On' : 'Off'}
            </Badge>
          )}
        </span>
      }
      description="Logging in asks for a code from an app on your phone, too. Nobody gets in with your password alone."
    >
      {twoFactor !== undefined && <Actions twoFactor={twoFactor} onOpen={open} />}
      {twoFactor === undefined && error === null && (
        <LoadingShape text="Loading...">
          <ButtonShape className="w-26" />
        </LoadingShape>
      )}
      {twoFactor === undefined && error !== null && (
        <ErrorState
          title="Failed to load two-factor authentication"
          hint={error.message}
          onRetry={() => refetch()}
        />
      )}
      <TwoFactorSetupDialog key={`setup-${openings}`} {...dialog('setup')} />
      <BackupCodesDialog key={`codes-${openings}`} {...dialog('codes')} />
      <RemoveTwoFactorDialog key={`removal-${openings}`} {...dialog('removal')} />
    </Card>
  )
}

function Actions({ twoFactor, onOpen }: { twoFactor: TwoFactor; onOpen: (dialog: Opened) => void }) {
  if (!twoFactor.enabled) return <Button onClick={() => onOpen('setup')}>Turn on</Button>
  const left = twoFactor.backup_codes_left ?? 0
  return (
    <div className="flex flex-col gap-4">
      {left <= FEW_CODES ? (
        <Notice tone="warning">{codesLeft(left)} Make new ones before you need them.</Notice>
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
