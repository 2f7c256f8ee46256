type FormattedTextProps = { part: 'welcome' | 'footer'; html: string | undefined }

/** The owner's Markdown, converted to HTML by the server. Source: rule K5. */
export function FormattedText({ part, html }: FormattedTextProps) {
  if (!html) return null
  return (
    <div
      data-part={part}
      className="formatted"
      // biome-ignore lint/security/noDangerouslySetInnerHtml: nothing of it was typed as HTML, the server escapes it
      dangerouslySetInnerHTML={{ __html: html }}
    />
  )
}
