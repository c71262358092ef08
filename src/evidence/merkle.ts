import { createHash } from "node:crypto";

const EMPTY = createHash("sha256").digest();

/** Hash of a leaf as in RFC 6962, section 2.1: SHA-256(0x00 || data). */
export function leafHash(data: string): Buffer {
  return createHash("sha256").update(Buffer.of(0)).update(data).digest();
}

function nodeHash(left: Buffer, right: Buffer): Buffer {
  return createHash("sha256").update(Buffer.of(1)).update(left).update(right).digest();
}

/**
 * The Merkle tree hash of RFC 6962 over leaves that are added one by one. Each full subtree is one hash, so a log of any length only needs
 * logarithmic memory, and the root of every prefix is available.
 */
export class MerkleTree {
  /** Roots of full subtrees with their sizes, the largest first. */
  private readonly subtrees: { size: number; hash: Buffer }[] = [];
  size = 0;

  add(data: string): void {
    let node = { size: 1, hash: leafHash(data) };
    while (this.subtrees.at(-1)?.size === node.size) {
      const left = this.subtrees.pop()!;
      node = { size: left.size * 2, hash: nodeHash(left.hash, node.hash) };
    }
    this.subtrees.push(node);
    this.size += 1;
  }

  root(): string {
    const hashes = this.subtrees.map(({ hash }) => hash);
    const root = hashes.length === 0 ? EMPTY : hashes.reduceRight((right, left) => nodeHash(left, right));
    return root.toString("hex");
  }
}
