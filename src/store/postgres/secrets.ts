import { createCipheriv, createDecipheriv, createHash, randomBytes } from "node:crypto";
import { EnvironmentError } from "../../core/errors.js";
import type { Database, Queries } from "./database.js";

/** Encrypts secrets that read access to the database must not reveal. */
export interface Vault {
  seal(secret: Buffer): Buffer;
  open(sealed: Buffer): Buffer;
  /** Whether a value was sealed under the newest key. */
  isCurrent(sealed: Buffer): boolean;
}

const IV = 12;
const TAG = 16;
const ID = 4;
const SHORTEST = 16;

/**
 * AES-256-GCM under a hash of the passphrase, by convention `DEFENSIBLE_SECRET`. Each value starts with the first bytes of its key's hash, so that
 * old values can be read while the secret is being replaced: give the new secret first, then the old ones, separated by commas.
 */
export function vaultOf(secrets: string): Vault {
  const keys = secrets
    .split(",")
    .filter(Boolean)
    .map((secret) => {
      const key = createHash("sha256").update(`defensible\0${secret}`).digest();
      return { key, id: createHash("sha256").update(key).digest().subarray(0, ID) };
    });
  if (keys.length === 0) {
    throw new EnvironmentError(
      "no_secret",
      "DEFENSIBLE_SECRET is not set",
      "Set it to a long random text and keep it.",
    );
  }
  if (secrets.split(",").some((secret) => secret !== "" && secret.length < SHORTEST)) {
    throw new EnvironmentError(
      "short_secret",
      `DEFENSIBLE_SECRET: expected at least ${SHORTEST} characters`,
      "`openssl rand -hex 32` makes one.",
    );
  }
  return {
    isCurrent: (sealed) => keys[0]!.id.equals(sealed.subarray(0, ID)),
    seal(secret) {
      const { key, id } = keys[0]!;
      const iv = randomBytes(IV);
      const cipher = createCipheriv("aes-256-gcm", key, iv);
      const body = Buffer.concat([cipher.update(secret), cipher.final()]);
      return Buffer.concat([id, iv, cipher.getAuthTag(), body]);
    },
    open(sealed) {
      const known = keys.find(({ id }) => id.equals(sealed.subarray(0, ID)));
      try {
        const decipher = createDecipheriv("aes-256-gcm", known!.key, sealed.subarray(ID, ID + IV));
        decipher.setAuthTag(sealed.subarray(ID + IV, ID + IV + TAG));
        return Buffer.concat([decipher.update(sealed.subarray(ID + IV + TAG)), decipher.final()]);
      } catch {
        throw new EnvironmentError(
          "wrong_secret",
          "database: a secret in it cannot be read with DEFENSIBLE_SECRET",
          "Set DEFENSIBLE_SECRET to the value it was written with; several are separated by commas.",
        );
      }
    },
  };
}

export async function findSecret(
  queries: Queries,
  vault: Vault,
  workspace: string,
  name: string,
): Promise<Buffer | null> {
  const [row] = await queries.rows<{ sealed: Buffer }>(
    "select sealed from defensible.secret where workspace_id = $1 and name = $2",
    [workspace, name],
  );
  return row ? vault.open(row.sealed) : null;
}

/** Replaces a secret; null: removes it. Returns whether there was one. */
export async function keepSecret(
  queries: Queries,
  vault: Vault,
  workspace: string,
  name: string,
  secret: Buffer | null,
): Promise<boolean> {
  const rows =
    secret === null
      ? await queries.rows<{ there: boolean }>(
          "delete from defensible.secret where workspace_id = $1 and name = $2 returning true as there",
          [workspace, name],
        )
      : await queries.rows<{ there: boolean }>(
          `insert into defensible.secret (workspace_id, name, sealed) values ($1, $2, $3)
           on conflict (workspace_id, name) do update set sealed = excluded.sealed returning xmax <> 0 as there`,
          [workspace, name, vault.seal(secret)],
        );
  return rows[0]?.there ?? false;
}

/** Encrypts every secret in the database again under the newest key, so that older keys can be dropped. Returns their number. */
export async function resealSecrets(database: Database, vault: Vault): Promise<number> {
  const again = (sealed: Buffer) => vault.seal(vault.open(sealed));
  return database.transaction(async (queries) => {
    let count = 0;
    for (const [table, key, column] of [
      ["secret", "name", "sealed"],
      ["webhook", "webhook_id", "secret"],
      ["webhook", "webhook_id", "previous_secret"],
    ]) {
      const rows = await queries.rows<{ workspace_id: string; key: string; sealed: Buffer }>(
        `select workspace_id, ${key} as key, ${column} as sealed from defensible.${table} where ${column} is not null for update`,
      );
      for (const { workspace_id, key: name, sealed } of rows) {
        if (vault.isCurrent(sealed)) continue;
        const text = `update defensible.${table} set ${column} = $3 where workspace_id = $1 and ${key} = $2`;
        await queries.rows(text, [workspace_id, name, again(sealed)]);
        count++;
      }
    }
    const gates = await queries.rows<{ workspace_id: string; active: { sampling_key: string } }>(
      "select workspace_id, active from defensible.gate_head where active is not null for update",
    );
    for (const { workspace_id, active } of gates) {
      const sealed = Buffer.from(active.sampling_key, "base64");
      if (vault.isCurrent(sealed)) continue;
      const next = JSON.stringify({ ...active, sampling_key: again(sealed).toString("base64") });
      await queries.rows("update defensible.gate_head set active = $2::json where workspace_id = $1", [
        workspace_id,
        next,
      ]);
      count++;
    }
    return count;
  });
}
