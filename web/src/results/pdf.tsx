// One page of a PDF, drawn by PDF.js, with the quote marked. Loaded only when a PDF is looked at.
import { GlobalWorkerOptions, TextLayer, getDocument, type PDFDocumentProxy } from "pdfjs-dist/legacy/build/pdf.mjs";
import type { RefObject } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { Waiting } from "../pieces";
import { t } from "../words";
import { center } from "./center";

declare const PDF_PARTS: string;

const parts = new URL(PDF_PARTS, document.baseURI.replace(/#.*/, "")).href;
GlobalWorkerOptions.workerSrc = `${parts}worker.mjs`;

function useDocument(url: string) {
  const [found, set] = useState<PDFDocumentProxy | null>(null);
  const [wrong, setWrong] = useState("");
  const file = url.split("?")[0];
  useEffect(() => {
    const loading = getDocument({
      url,
      cMapUrl: `${parts}cmaps/`,
      cMapPacked: true,
      standardFontDataUrl: `${parts}standard_fonts/`,
      wasmUrl: `${parts}wasm/`,
      useWasm: false,
      isEvalSupported: false,
      enableXfa: false,
    });
    loading.promise.then(set, (error: Error) => setWrong(error.message));
    return () => void loading.destroy();
  }, [file]);
  return { found, wrong };
}

const SETTLED_MS = 150;

/** How wide it may be drawn, once that has been the same for a moment; 0 while it is not shown. */
function useRoom(sheet: RefObject<HTMLElement>): number {
  const [room, set] = useState(0);
  useEffect(() => {
    if (!sheet.current) return undefined;
    let timer = 0;
    const sized = new ResizeObserver(([seen]) => {
      clearTimeout(timer);
      timer = setTimeout(() => set(Math.floor(seen?.contentRect.width ?? 0)), SETTLED_MS);
    });
    sized.observe(sheet.current);
    return () => {
      clearTimeout(timer);
      sized.disconnect();
    };
  }, []);
  return room;
}

/** `told` whether the quote was found in the page's letters. */
type Props = { url: string; page: number; zoom: number; quote: string; told: (isMarked: boolean) => void };

export default function Pdf({ url, page, zoom, quote, told }: Props) {
  const { found, wrong } = useDocument(url);
  const frame = useRef<HTMLDivElement>(null);
  const room = useRoom(frame);
  const canvas = useRef<HTMLCanvasElement>(null);
  const layer = useRef<HTMLDivElement>(null);
  const [drawn, setDrawn] = useState(false);
  const [error, setError] = useState("");
  useEffect(() => {
    if (!found || !room) return undefined;
    let stopped = false;
    let stop = () => {};
    setError("");
    const draw = async () => {
      const sheet = await found.getPage(Math.min(page, found.numPages));
      const scale = room / sheet.getViewport({ scale: 1 }).width;
      const viewport = sheet.getViewport({ scale });
      const sharp = Math.min(devicePixelRatio || 1, 2);
      if (stopped || !canvas.current || !layer.current) return;
      canvas.current.width = Math.floor(viewport.width * sharp);
      canvas.current.height = Math.floor(viewport.height * sharp);
      const task = sheet.render({ canvas: canvas.current, viewport, transform: [sharp, 0, 0, sharp, 0, 0] });
      stop = () => task.cancel();
      await task.promise;
      if (stopped || !layer.current) return;
      layer.current.replaceChildren();
      layer.current.style.setProperty("--total-scale-factor", String(scale));
      const text = new TextLayer({ textContentSource: sheet.streamTextContent(), container: layer.current, viewport });
      stop = () => text.cancel();
      await text.render();
      if (stopped || !layer.current) return;
      told(mark(text.textDivs, quote));
      setDrawn(true);
      center(layer.current.querySelector(".marked"), ".source-pdf");
    };
    draw().catch((reason: Error) => {
      if (!stopped && reason.name !== "RenderingCancelledException") setError(reason.message);
    });
    return () => {
      stopped = true;
      stop();
    };
  }, [found, page, quote, room]);
  const reason = wrong || error;
  return (
    <>
      {reason && <p class="quiet">{t("pdfFailed", { reason })}</p>}
      <div class={reason ? "sheet failed" : "sheet"} ref={frame} style={{ width: `${100 * zoom}%` }} data-drawn={drawn} role="img" aria-label={`PDF, ${t("pageN", { n: page })}`}>
        {!drawn && !reason && <Waiting rows={10} />}
        <canvas ref={canvas} />
        <div class="textLayer" ref={layer} aria-hidden="true" />
      </div>
    </>
  );
}

const letters = (text: string) => text.normalize("NFKC").toLowerCase().replace(/[^\p{L}\p{N}]/gu, "");

/** Mark the pieces of the page's text that the quote runs through: letters and digits only, because lines break anywhere. */
function mark(pieces: HTMLElement[], quote: string): boolean {
  const wanted = letters(quote);
  if (wanted.length < 4) return false;
  const texts = pieces.map((piece) => letters(piece.textContent ?? ""));
  const start = texts.join("").indexOf(wanted);
  if (start < 0) return false;
  let at = 0;
  texts.forEach((text, number) => {
    const isIn = text.length > 0 && at < start + wanted.length && at + text.length > start;
    if (isIn) pieces[number]?.classList.add("marked");
    at += text.length;
  });
  return true;
}
