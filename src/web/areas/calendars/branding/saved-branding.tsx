import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { Branding } from '#contract/calendars/branding.ts'
import * as at from '#contract/operations/addresses.ts'
import { callApi } from '#web/shared/call-api.ts'
import { Button } from '#web/ui/button.tsx'
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx'
import { TextArea } from '#web/ui/field.tsx'
import { toast } from '#web/ui/toast.tsx'
import { brandingQuery } from './branding-queries.ts'
import { LogoImage } from './logo-field.tsx'
import { BRANDING_FIELD_LABELS } from './use-branding-form.ts'

const COLORS = ['primary_color', 'secondary_color'] as const
const TEXTS = ['welcome_message', 'footer_text', 'custom_css'] as const

/** True when any branding differs from the defaults. Source: rule K1. */
export function hasBranding({ logo, own_colors, ...texts }: Branding): boolean {
  return logo !== null || own_colors || TEXTS.some((name) => texts[name] !== '')
}

/** Shows saved branding that the plan does not include, and lets the owner delete it. Source: rule K3. */
export function SavedBranding({ calendarId, branding }: { calendarId: string; branding: Branding }) {
  const [isAsking, setAsking] = useState(false)
  const client = useQueryClient()
  const clear = useMutation({
    mutationFn: () => callApi(at.clearBranding, { params: { id: calendarId } }),
    onSuccess: (cleared) => {
      client.setQueryData(brandingQuery(calendarId).queryKey, cleared)
      toast.success('Branding deleted')
    },
    onError: (error) => {
      setAsking(false)
      toast.error(`Failed to delete the branding: ${error.message}`)
    },
  })
  const { logo } = branding
  return (
    <section aria-labelledby="stored-look" className="mt-6 flex flex-col gap-5">
      <h3 id="stored-look" className="text-lg font-semibold">
        Saved but not shown
      </h3>
      {logo !== null && <LogoImage url={logo.url} />}
      <dl className="flex flex-wrap gap-x-8 gap-y-3">
        {(branding.own_colors ? COLORS : []).map((name) => (
          <div key={name}>
            <dt className="text-sm text-ink-soft">{BRANDING_FIELD_LABELS[name]}</dt>
            <dd className="flex items-center gap-2 font-mono">
              <span
                aria-hidden="true"
                className="size-5 rounded-full border border-line-strong"
                style={{ backgroundColor: branding[name] }}
              />
              {branding[name]}
            </dd>
          </div>
        ))}
      </dl>
      {TEXTS.filter((name) => branding[name] !== '').map((name) => (
        <TextArea
          key={name}
          label={BRANDING_FIELD_LABELS[name]}
          className="max-h-60"
          readOnly
          value={branding[name]}
        />
      ))}
      <Button variant="danger" className="self-start" onClick={() => setAsking(true)}>
        Delete branding
      </Button>
      <ConfirmDialog
        open={isAsking}
        onOpenChange={setAsking}
        title="Delete this branding?"
        description="This deletes the logo, colours, texts and custom CSS. This can’t be undone."
        confirmLabel="Delete branding"
        pendingLabel="Deleting..."
        pending={clear.isPending}
        onConfirm={() => clear.mutate()}
        tone="danger"
      />
    </section>
  )
}
