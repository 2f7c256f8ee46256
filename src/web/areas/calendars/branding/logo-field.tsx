import { useMutation } from '@tanstack/react-query'
import { type ChangeEvent, useRef } from 'react'
import type { Logo } from '#contract/calendars/branding.ts'
import * as at from '#contract/operations/addresses.ts'
import { LIMITS } from '#contract/shared/limits.ts'
import { PROBLEMS } from '#contract/shared/problem.ts'
import { toProblem } from '#web/kit/show-problem.ts'
import { callApi } from '#web/shared/call-api.ts'
import { Button } from '#web/ui/button.tsx'
import { TextField } from '#web/ui/field.tsx'
import { BRANDING_FIELD_LABELS, type BrandingFormState } from './use-branding-form.ts'

type LogoFieldProps = { calendarId: string; record: BrandingFormState }

type Source = { logo_url: string } | { file: string }

/** Lets the owner set the logo from a URL or a file. The server redraws the image before it is shown. Source: rule K4. */
export function LogoField({ calendarId, record }: LogoFieldProps) {
  const { form, values } = record
  const fileInput = useRef<HTMLInputElement>(null)
  const { mutate, isPending, variables } = useMutation({
    mutationFn: (source: Source) => callApi(at.makeLogo, { params: { id: calendarId }, body: source }),
    onSuccess: (logo: Logo, source) => {
      show({ logo_url: 'logo_url' in source ? source.logo_url : '', logo_hash: logo.hash })
    },
    onError: (error) =>
      form.setError('logo_url', { message: toProblem(error).message }, { shouldFocus: true }),
  })
  const show = (logo: { logo_url: string; logo_hash: string | null }) => {
    form.clearErrors('logo_url')
    form.setValue('logo_url', logo.logo_url, { shouldDirty: true })
    form.setValue('logo_hash', logo.logo_hash, { shouldDirty: true })
  }
  const upload = async ({ target }: ChangeEvent<HTMLInputElement>) => {
    const [file] = target.files ?? []
    // Reset the input, or choosing the same file again would cause no event.
    target.value = ''
    if (file === undefined) return
    if (file.size > LIMITS.logoBytes) {
      form.setError('logo_url', { message: PROBLEMS['branding.logo_too_large'].title })
      return
    }
    mutate({ file: await toBase64(file) })
  }
  const { logo_url, logo_hash } = values
  const isUploading = isPending && variables !== undefined && 'file' in variables
  return (
    <fieldset className="flex min-w-0 flex-col gap-3">
      <legend className="sr-only">{BRANDING_FIELD_LABELS.logo_hash}</legend>
      {logo_hash !== null && (
        <div className="flex flex-wrap items-center gap-4">
          <LogoImage url={`/branding/${calendarId}/${logo_hash}.png`} />
          <Button size="sm" onClick={() => show({ logo_url: '', logo_hash: null })}>
            Remove logo
          </Button>
        </div>
      )}
      <TextField
        label={BRANDING_FIELD_LABELS.logo_url}
        type="url"
        inputMode="url"
        autoComplete="off"
        spellCheck={false}
        placeholder="https://"
        maxLength={LIMITS.url}
        hint="Recommended size 200 × 80 pixels. We load the image once and show our own copy."
        error={form.formState.errors.logo_url?.message}
        value={logo_url}
        onChange={(event) => {
          form.setValue('logo_url', event.target.value, { shouldDirty: true })
          form.setValue('logo_hash', null, { shouldDirty: true })
        }}
      />
      <div className="flex flex-wrap gap-2">
        {logo_url.trim() !== '' && logo_hash === null && (
          <Button
            size="sm"
            pending={isPending && !isUploading}
            pendingLabel="Fetching..."
            onClick={() => mutate({ logo_url: logo_url.trim() })}
          >
            Load logo
          </Button>
        )}
        <Button
          size="sm"
          pending={isUploading}
          pendingLabel="Uploading..."
          onClick={() => fileInput.current?.click()}
        >
          Upload a file
        </Button>
        <input
          ref={fileInput}
          type="file"
          hidden
          accept="image/png,image/jpeg,image/webp,image/gif,image/svg+xml"
          aria-label="Logo file"
          onChange={(event) => void upload(event)}
        />
      </div>
    </fieldset>
  )
}

async function toBase64(file: File): Promise<string> {
  const bytes = new Uint8Array(await file.arrayBuffer())
  let text = ''
  // In chunks, because a function call takes at most about 65,000 arguments.
  for (let at = 0; at < bytes.length; at += 8_192)
    text += String.fromCharCode(...bytes.subarray(at, at + 8_192))
  return btoa(text)
}

/** Shows the logo as customers see it. The background is white, because most logos are made for white. */
export function LogoImage({ url }: { url: string }) {
  return (
    <img
      src={url}
      alt="Your logo"
      className="max-h-20 max-w-full self-start rounded-control border border-line bg-white p-2"
    />
  )
}
