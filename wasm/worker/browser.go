//go:build js && wasm

package main

import (
	"context"
	"errors"
	"fmt"
	"syscall/js"
)

// await waits for a promise. The goroutine stays behind when ctx ends first.
func await(ctx context.Context, promise js.Value) (js.Value, error) {
	type outcome struct {
		value js.Value
		err   error
	}
	done := make(chan outcome, 1)
	var then, fail js.Func
	release := func() { then.Release(); fail.Release() }
	then = js.FuncOf(func(_ js.Value, args []js.Value) any {
		defer release()
		value := js.Undefined()
		if len(args) > 0 {
			value = args[0]
		}
		done <- outcome{value, nil}
		return nil
	})
	fail = js.FuncOf(func(_ js.Value, args []js.Value) any {
		defer release()
		words := "the browser gave no reason"
		if len(args) > 0 && args[0].Type() == js.TypeObject {
			words = args[0].Get("message").String()
		}
		done <- outcome{js.Undefined(), errors.New(words)}
		return nil
	})
	promise.Call("then", then, fail)
	select {
	case o := <-done:
		return o.value, o.err
	case <-ctx.Done():
		return js.Undefined(), ctx.Err()
	}
}

// errStatus is the error of an answer other than 200.
type errStatus int

func (e errStatus) Error() string { return fmt.Sprintf("the server answered %d", int(e)) }

// fetch downloads the bytes of an address, at most limit of them.
func fetch(ctx context.Context, address string, limit int, options map[string]any) ([]byte, error) {
	abort := js.Global().Get("AbortController").New()
	stop := context.AfterFunc(ctx, func() { abort.Call("abort") })
	defer stop()
	options["signal"] = abort.Get("signal")
	res, err := await(ctx, js.Global().Call("fetch", address, js.ValueOf(options)))
	if err != nil {
		return nil, err
	}
	if !res.Get("ok").Bool() {
		return nil, errStatus(res.Get("status").Int())
	}
	reader := res.Get("body")
	if reader.IsNull() {
		return nil, nil
	}
	reader = reader.Call("getReader")
	var data []byte
	for {
		part, err := await(ctx, reader.Call("read"))
		if err != nil {
			return nil, err
		}
		if part.Get("done").Bool() {
			return data, nil
		}
		chunk := part.Get("value")
		n := chunk.Get("byteLength").Int()
		if len(data)+n > limit {
			abort.Call("abort")
			return nil, fmt.Errorf("it is larger than %d MB", limit>>20)
		}
		at := len(data)
		data = append(data, make([]byte, n)...)
		js.CopyBytesToGo(data[at:], chunk)
	}
}

// get downloads a file of the site.
func get(ctx context.Context, address string, limit int) ([]byte, error) {
	return fetch(ctx, address, limit, map[string]any{})
}

// fetchLimited downloads a file an agent named, without credentials.
func fetchLimited(ctx context.Context, address string, limit int) ([]byte, error) {
	return fetch(ctx, address, limit, map[string]any{"credentials": "omit", "referrerPolicy": "no-referrer"})
}

// bufferOf copies bytes into an ArrayBuffer of their own.
func bufferOf(data []byte) js.Value {
	array := js.Global().Get("Uint8Array").New(len(data))
	js.CopyBytesToJS(array, data)
	return array.Get("buffer")
}

// encodePicture writes pixels in a format of the browser's.
func encodePicture(ctx context.Context, format string, quality, width, height int, rgba []byte) ([]byte, error) {
	clamped := js.Global().Get("Uint8ClampedArray").New(bufferOf(rgba))
	image := js.Global().Get("ImageData").New(clamped, width, height)
	canvas := js.Global().Get("OffscreenCanvas").New(width, height)
	canvas.Call("getContext", "2d").Call("putImageData", image, 0, 0)
	blob, err := await(ctx, canvas.Call("convertToBlob", js.ValueOf(map[string]any{"type": format, "quality": float64(quality) / 100})))
	if err != nil {
		return nil, err
	}
	if got := blob.Get("type").String(); got != format {
		return nil, fmt.Errorf("this browser does not write %s", format)
	}
	buffer, err := await(ctx, blob.Call("arrayBuffer"))
	if err != nil {
		return nil, err
	}
	array := js.Global().Get("Uint8Array").New(buffer)
	data := make([]byte, array.Get("byteLength").Int())
	js.CopyBytesToGo(data, array)
	return data, nil
}

// hopper gives way to the browser's events by a message to itself: it is not
// held back in hidden tabs, as timers are.
type hopper struct {
	port    js.Value
	waiting []chan struct{}
}

func newHopper() *hopper {
	channel := js.Global().Get("MessageChannel").New()
	h := &hopper{port: channel.Get("port2")}
	channel.Get("port1").Set("onmessage", js.FuncOf(func(js.Value, []js.Value) any {
		if len(h.waiting) > 0 {
			first := h.waiting[0]
			h.waiting = h.waiting[1:]
			close(first)
		}
		return nil
	}))
	return h
}

// hop waits until the browser has had a turn.
func (h *hopper) hop() {
	done := make(chan struct{})
	h.waiting = append(h.waiting, done)
	h.port.Call("postMessage", 0)
	<-done
}

// escape writes a name as one part of an address.
func escape(name string) string {
	return js.Global().Call("encodeURIComponent", name).String()
}
