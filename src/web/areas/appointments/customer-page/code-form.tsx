import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useRef, useState } from 'react'
import * as at from '#contract/operations/addresses.ts'
import { callApi } from '#web/shared/call-api.ts'
import { Button } from '#web/ui/button.tsx'
import { CodeField } from '#web/ui/code-field.tsx'
import { Notice } from '#web/ui/notice.tsx'
import { toast } from '#web/ui/toast.tsx'

type CodeFormProps = { token: string; emailHint: string; onConfirmed: () => Promise<void> }

/** Sends a single-use code to the customer's email address, and lets the customer enter it. Source: rule R8. */
export function EmailedCodeForm({ token, emailHint, onConfirmed }: CodeFormProps) {
  const params = { token }
  const [code, setCode] = useState('')
  const form = useRef<HTMLFormElement>(null)
  const send = useMutation({
    mutationFn: () => callApi(at.sendCustomerCode, { params }),
    onSuccess: () => {
      if (send.isSuccess) toast.success('We’ve sent the code again.')
    },
  })
  const confirm = useMutation({
    mutationFn: async (typed: string) => {
      await callApi(at.beginCustomerSession, { params, body: { code: typed } })
      await onConfirmed()
    },
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (!confirm.isPending) confirm.mutate(code)
  }
  const sending = (
    <Button pending={send.isPending} pendingLabel="Sending..." onClick={() => send.mutate()}>
      {send.isSuccess ? 'Send the code again' : 'Send me a code'}
    </Button>
  )
  return (
    <div className="grid gap-4">
      {send.error !== null && (
        <Notice tone="danger" role="alert">
          {send.error.message}
        </Notice>
      )}
      {send.isSuccess ? (
        <form ref={form} noValidate onSubmit={submit} className="grid max-w-sm gap-4">
          <p role="status">We’ve sent a six-digit code to {emailHint}.</p>
          <CodeField
            label="Code"
            required
            inputMode="numeric"
            value={code}
            error={confirm.error?.message}
            onChange={(event) => setCode(event.target.value)}
          />
          <div className="flex flex-wrap gap-3">
            <Button type="submit" variant="primary" pending={confirm.isPending} pendingLabel="Checking...">
              Continue
            </Button>
            {sending}
          </div>
        </form>
      ) : (
        <div className="flex flex-wrap items-center gap-3">
          {sending}
          <p className="text-sm wrap-anywhere text-ink-soft">It goes to {emailHint}.</p>
        </div>
      )}
    </div>
  )
}
