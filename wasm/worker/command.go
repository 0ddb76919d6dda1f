//go:build js && wasm

package main

import (
	"context"
	"encoding/json"
	"fmt"
	"runtime/debug"
	"syscall/js"
	"time"

	"postext/bridge"
	"postext/sandbox"
)

// command runs one of the window's commands.
func (w *worker) command(ctx context.Context, name string, args json.RawMessage) (answer bridge.Answer, buffers []js.Value) {
	value, buffers, err := w.do(ctx, name, args)
	if err != nil {
		if ctx.Err() != nil {
			return bridge.Refused("cancelled"), nil
		}
		return w.registry.Fail(name, err, debug.Stack()), nil
	}
	answer, err = bridge.Succeed(value)
	if err != nil {
		return w.registry.Fail(name, err, nil), nil
	}
	return answer, buffers
}

func (w *worker) do(ctx context.Context, name string, args json.RawMessage) (any, []js.Value, error) {
	s := w.session
	read := func(into any) error {
		if err := json.Unmarshal(args, into); err != nil {
			return bridge.Refuse("the arguments of %s cannot be read: %v", name, err)
		}
		return nil
	}
	switch name {
	case "type":
		var a sandbox.Typed
		if err := read(&a); err != nil {
			return nil, nil, err
		}
		rev, err := s.Type(ctx, a)
		return map[string]any{"revision": rev}, nil, err
	case "files":
		var a struct {
			Name  string
			Files []struct {
				Path string
				Data []byte
			}
		}
		if err := read(&a); err != nil {
			return nil, nil, err
		}
		files := memFS{}
		for _, f := range a.Files {
			files[f.Path] = f.Data
		}
		name, err := s.OpenFiles(ctx, files, a.Name)
		return map[string]any{"name": name}, nil, err
	case "text":
		var a struct{ Chapter string }
		if err := read(&a); err != nil {
			return nil, nil, err
		}
		text, rev, err := s.Text(ctx, a.Chapter)
		visit, left := s.Visit(a.Chapter)
		return map[string]any{"chapter": a.Chapter, "text": text, "revision": rev, "visit": visit, "left": left}, nil, err
	case "paint":
		var a sandbox.PaintRequest
		if err := read(&a); err != nil {
			return nil, nil, err
		}
		m, key, err := s.Paint(ctx, a)
		if err != nil {
			return nil, nil, err
		}
		return map[string]any{"width": m.Width, "height": m.Height, "key": key}, []js.Value{bufferOf(m.Pix)}, nil
	case "view":
		if string(args) != "" && string(args) != "{}" {
			view := s.View()
			if err := read(&view); err != nil {
				return nil, nil, err
			}
			s.SetView(func(v *sandbox.View) { *v = view })
		}
		pages, rev, complete := s.PageList()
		return map[string]any{"view": s.State().View, "pages": pages, "revision": rev, "complete": complete}, nil, nil
	case "caret":
		var a struct {
			Chapter string
			Offset  int
		}
		if err := read(&a); err != nil {
			return nil, nil, err
		}
		c, err := s.Caret(ctx, a.Chapter, a.Offset)
		return c, nil, err
	case "passage":
		var a struct {
			Chapter          string
			Offset, ToOffset int
		}
		if err := read(&a); err != nil {
			return nil, nil, err
		}
		parts, color, err := s.Passage(ctx, a.Chapter, a.Offset, a.ToOffset)
		return map[string]any{"parts": parts, "color": color}, nil, err
	case "point":
		return w.registry.Call(ctx, "sandbox_inspect_point", args), nil, nil
	case "cover":
		var a sandbox.Ref
		if err := read(&a); err != nil {
			return nil, nil, err
		}
		kind, data, err := s.Cover(ctx, a)
		if err != nil || data == nil {
			return map[string]any{"mimeType": ""}, nil, err
		}
		return map[string]any{"mimeType": kind}, []js.Value{bufferOf(data)}, nil
	case "resources":
		list, err := s.ResourceList(ctx)
		return list, nil, err
	case "design":
		var a sandbox.DesignQuestion
		if err := read(&a); err != nil {
			return nil, nil, err
		}
		list, err := s.Design(ctx, a)
		return list, nil, err
	case "checks":
		list, err := s.WarningList(ctx)
		return list, nil, err
	case "resource", "picture":
		var a struct{ ID string }
		if err := read(&a); err != nil {
			return nil, nil, err
		}
		if name == "resource" {
			r, err := s.Resource(ctx, a.ID)
			return r, nil, err
		}
		kind, data, err := s.ResourcePicture(ctx, a.ID)
		if err != nil || data == nil {
			return map[string]any{"mimeType": ""}, nil, err
		}
		return map[string]any{"mimeType": kind}, []js.Value{bufferOf(data)}, nil
	case "face":
		var a struct {
			Family string
			Weight int
			Italic bool
		}
		if err := read(&a); err != nil {
			return nil, nil, err
		}
		data, err := s.FontFile(ctx, a.Family, a.Weight, a.Italic)
		if err != nil {
			return nil, nil, err
		}
		return map[string]any{}, []js.Value{bufferOf(data)}, nil
	case "fontname":
		var a struct{ Data []byte }
		if err := read(&a); err != nil {
			return nil, nil, err
		}
		n, err := sandbox.NameFont(a.Data)
		return n, nil, err
	case "follow":
		var a struct{ Project, Preset, Lang string }
		if err := read(&a); err != nil {
			return nil, nil, err
		}
		link := sandbox.Ref{Kind: "sample", ID: a.Preset, Language: a.Lang}
		if a.Project != "" {
			link = sandbox.Ref{Kind: "project", ID: a.Project}
		}
		found, err := s.Follow(ctx, link)
		return map[string]any{"found": found}, nil, err
	case "look":
		return nil, nil, s.CheckEdition(ctx)
	case "save":
		return nil, nil, s.Save(ctx)
	case "hash":
		sum, n, err := s.Hash(ctx)
		return map[string]any{"hash": sum, "pages": n}, nil, err
	}
	return nil, nil, bridge.Refuse("there is no command %s: the commands are type, text, paint, view, caret, passage, point, cover, resources, checks, resource, picture, face, fontname, follow, look, save, hash", bridge.Quote(name))
}

// show puts a picture on the window's screen and says where it stands.
func (w *worker) show(ctx context.Context, p sandbox.Picture) (sandbox.Shown, error) {
	about, err := json.Marshal(map[string]any{"mimeType": p.MIMEType, "width": p.Width, "height": p.Height, "row": p.Row, "title": p.Title})
	if err != nil {
		return sandbox.Shown{}, err
	}
	answered := make(chan string, 1)
	w.mu.Lock()
	w.shown++
	id := w.shown
	w.shows[id] = answered
	w.mu.Unlock()
	defer func() {
		w.mu.Lock()
		delete(w.shows, id)
		w.mu.Unlock()
	}()
	buffer := bufferOf(p.Data)
	post(map[string]any{"t": "show", "id": id, "json": string(about), "buffers": []any{buffer}}, buffer)
	select {
	case text := <-answered:
		var at sandbox.Shown
		if err := json.Unmarshal([]byte(text), &at); err != nil {
			return sandbox.Shown{}, fmt.Errorf("where the picture is shown: %w", err)
		}
		return at, nil
	case <-time.After(5 * time.Second):
		return sandbox.Shown{}, bridge.Refuse("the page did not put the picture on the screen: leave show out; the picture is in the answer")
	case <-ctx.Done():
		return sandbox.Shown{}, ctx.Err()
	}
}
