import type { S3Target } from '@meridian/contracts'
import { AwsV4Signer } from 'aws4fetch'

type Place = Pick<S3Target, 'endpoint' | 'bucket' | 'prefix' | 'pathStyle'>

/** Where an object of this name lies: the bucket in the path, or in front of the host. */
export function objectUrl({ endpoint, bucket, prefix, pathStyle }: Place, name: string): string {
  const url = new URL(endpoint)
  if (!pathStyle) url.host = `${bucket}.${url.host}`
  url.pathname = [
    ...url.pathname.split('/'),
    ...(pathStyle ? [bucket] : []),
    ...`${prefix}${name}`.split('/'),
  ]
    .filter((part) => part !== '')
    .join('/')
  return url.href
}

type Signed = Pick<S3Target, 'region' | 'accessKeyId'> & {
  url: string
  secretAccessKey: string
  contentType: string
  /** SHA-256 of the bytes, hexadecimal: the store refuses any others. */
  sha256: string
}

/** The headers of a PUT, by AWS Signature Version 4. The store judges its time by its own clock, as ours tells it. */
export async function signPut({ url, sha256, contentType, ...key }: Signed): Promise<Record<string, string>> {
  const { headers } = await new AwsV4Signer({
    ...key,
    url,
    method: 'PUT',
    service: 's3',
    headers: { 'x-amz-content-sha256': sha256, 'content-type': contentType },
  }).sign()
  headers.delete('host')
  return Object.fromEntries(headers)
}
