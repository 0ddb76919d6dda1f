// Compresses files, several at a time, with the coders that Node has: brotli in
// C is about five times as fast as a translation. compress.go runs it.
//
// Standard input is one JSON array of {from, to, form, quality}: form is "br" or
// "gz", quality that of brotli, 0 to 11 (gzip takes 9 for what is above). to is
// written beside and moved, so that no run leaves half a file.
import { readFile, rename, writeFile } from "node:fs/promises";
import { availableParallelism } from "node:os";
import { text } from "node:stream/consumers";
import { promisify } from "node:util";
import zlib from "node:zlib";

const brotli = promisify(zlib.brotliCompress);
const gzip = promisify(zlib.gzip);
const { BROTLI_PARAM_LGWIN, BROTLI_PARAM_NPOSTFIX, BROTLI_PARAM_QUALITY, BROTLI_PARAM_SIZE_HINT } = zlib.constants;

const forms = {
	br: (data, quality, program) =>
		brotli(data, {
			params: {
				[BROTLI_PARAM_QUALITY]: quality,
				[BROTLI_PARAM_LGWIN]: 24, // the most that browsers take
				[BROTLI_PARAM_SIZE_HINT]: data.length,
				// Distances in fours make a program half a per cent smaller.
				[BROTLI_PARAM_NPOSTFIX]: program ? 2 : 0,
			},
		}),
	gz: (data, quality) => gzip(data, { level: Math.min(quality, 9) }),
};

const jobs = JSON.parse(await text(process.stdin));

async function worker() {
	for (let job; (job = jobs.shift()); ) {
		const packed = await forms[job.form](await readFile(job.from), job.quality, job.from.endsWith(".wasm"));
		await writeFile(`${job.to}.new`, packed);
		await rename(`${job.to}.new`, job.to);
	}
}

// Node's own pool does the work; it has four threads.
await Promise.all(Array.from({ length: Math.min(4, availableParallelism()) }, worker));
