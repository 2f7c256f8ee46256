/** A logo as it will be seen, on white: most are drawn for it. */
export function LogoImage({ url }: { url: string }) {
  return (
    <img
      src={url}
      alt="Your logo"
      className="max-h-20 max-w-full self-start rounded-control border border-line bg-white p-2"
    />
  )
}
